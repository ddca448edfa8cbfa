//! Functions of the interface to the EE.

use bootrom_iop::imports;

imports! { "sifman", "0x0101";
    fn sceSifSetDChain() = 6;
}
