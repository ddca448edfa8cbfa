//! Functions of the interface to the EE.

use bootrom_iop::imports;

/// One transfer to the EE: source, destination, bytes, attributes.
pub type Transfer = [u32; 4];
/// A function that is called with a word.
pub type Callback = extern "C" fn(u32);

imports! { "sifman", "0x0101";
    fn sceSifDma2Init() = 4;
    fn sceSifInit() = 5;
    fn sceSifSetDChain() = 6;
    fn sceSifSetDma(transfers: *const Transfer, count: i32) -> u32 = 7;
    fn sceSifDmaStat(id: u32) -> i32 = 8;
    fn sceSifSetOneDma(source: u32, destination: u32, bytes: u32, attributes: u32) -> u32 = 9;
    fn sceSifSendSync() = 10;
    fn sceSifIsSending() -> i32 = 11;
    fn sceSifDma0Transfer(address: u32, bytes: u32, mode: u32) = 12;
    fn sceSifDma0Sync() = 13;
    fn sceSifDma0Sending() -> i32 = 14;
    fn sceSifDma1Transfer(address: u32, bytes: u32, mode: u32) = 15;
    fn sceSifDma1Sync() = 16;
    fn sceSifDma1Sending() -> i32 = 17;
    fn sceSifDma2Transfer(address: u32, bytes: u32, mode: u32) = 18;
    fn sceSifDma2Sync() = 19;
    fn sceSifDma2Sending() -> i32 = 20;
    fn sceSifGetMSFlag() -> u32 = 21;
    fn sceSifSetMSFlag(bits: u32) -> u32 = 22;
    fn sceSifGetSMFlag() -> u32 = 23;
    fn sceSifSetSMFlag(bits: u32) -> u32 = 24;
    fn sceSifGetMainAddr() -> u32 = 25;
    fn sceSifGetSubAddr() -> u32 = 26;
    fn sceSifSetSubAddr(value: u32) -> u32 = 27;
    fn sceSifIntrMain() = 28;
    fn sceSifCheckInit() -> i32 = 29;
    fn sceSifSetDmaIntrHandler(function: Callback, argument: u32) = 30;
    fn sceSifResetDmaIntrHandler() = 31;
    fn sceSifSetDmaIntr(transfers: *const Transfer, count: i32, function: Callback, argument: u32) -> u32 = 32;
}

/// A packet's address, and the word that its handler was registered with.
pub type CommandHandler = extern "C" fn(*const [u32; 16], u32);
/// Function number, the request, its bytes; the reply.
pub type ServerFunction = extern "C" fn(u32, *mut u32, u32) -> *mut u32;

imports! { "sifcmd", "0x0101";
    fn sceSifInitCmd() = 4;
    fn sceSifExitCmd() = 5;
    fn sceSifGetSreg(index: u32) -> u32 = 6;
    fn sceSifSetSreg(index: u32, value: u32) = 7;
    fn sceSifSetCmdBuffer(table: *mut [u32; 2], count: u32) = 8;
    fn sceSifSetSysCmdBuffer(table: *mut [u32; 2], count: u32) = 9;
    fn sceSifAddCmdHandler(number: u32, function: CommandHandler, argument: u32) = 10;
    fn sceSifRemoveCmdHandler(number: u32) = 11;
    fn sceSifSendCmd(number: u32, packet: *mut u32, bytes: u32, data: u32, destination: u32, data_bytes: u32) -> u32 = 12;
    fn isceSifSendCmd(number: u32, packet: *mut u32, bytes: u32, data: u32, destination: u32, data_bytes: u32) -> u32 = 13;
    fn sceSifInitRpc(mode: i32) = 14;
    fn sceSifBindRpc(client: *mut [u32; 16], server: u32, mode: u32) -> i32 = 15;
    fn sceSifCallRpc(client: *mut [u32; 16], function: u32, mode: u32, send: u32, send_bytes: u32, receive: u32, receive_bytes: u32, end: Option<Callback>, argument: u32) -> i32 = 16;
    fn sceSifRegisterRpc(server: *mut [u32; 32], number: u32, function: ServerFunction, buffer: *mut u32, second: u32, second_buffer: u32, queue: *mut [u32; 8]) = 17;
    fn sceSifCheckStatRpc(client: *mut [u32; 16]) -> i32 = 18;
    fn sceSifSetRpcQueue(queue: *mut [u32; 8], thread: i32) = 19;
    fn sceSifGetNextRequest(queue: *mut [u32; 8]) -> *mut [u32; 32] = 20;
    fn sceSifExecRequest(server: *mut [u32; 32]) = 21;
    fn sceSifRpcLoop(queue: *mut [u32; 8]) = 22;
    fn sceSifGetOtherData(record: *mut [u32; 16], source: u32, destination: u32, bytes: u32, mode: u32) -> i32 = 23;
    fn sceSifRemoveRpc(server: *mut [u32; 32], queue: *mut [u32; 8]) -> *mut [u32; 32] = 24;
    fn sceSifRemoveRpcQueue(queue: *mut [u32; 8]) -> *mut [u32; 8] = 25;
    fn sceSifSetSif1CB(function: Callback, argument: u32) = 26;
    fn sceSifClearSif1CB() = 27;
    fn sceSifSendCmdIntr(number: u32, packet: *mut u32, bytes: u32, data: u32, destination: u32, data_bytes: u32, function: Callback, argument: u32) -> u32 = 28;
    fn isceSifSendCmdIntr(number: u32, packet: *mut u32, bytes: u32, data: u32, destination: u32, data_bytes: u32, function: Callback, argument: u32) -> u32 = 29;
}
