//! Pages and blocks past the file system, as tools that copy whole cards ask for them.
//!
//! Source: public SDK (mcReadPage, mcWritePage, mcEraseBlock)

use super::{Both, Function, Request, State, port_of, send};
use crate::machine::mcman::detect;
use crate::machine::sifman;
use crate::machine::sifrpc_client::{Fetched, fetch};
use bootrom_iop::card::{CardError, PAGE_BYTES};
use bootrom_iop::edges::{Cut, Edges, LINE, cut};

/// Serves one of the three requests; word 0 is the page, word 4 the block.
///
/// Our choice: a block is erased whatever the request says of check bytes, which come with the pages that are written to it.
pub fn answer(
    state: &mut State,
    cards: &mut Both<'_>,
    function: Function,
    request: &Request,
) -> Result<u32, CardError> {
    let card = &mut cards.ports[port_of(request.words[1], request.words[2])?];
    match detect(card) {
        // Pages are there without a format, too.
        Ok(()) | Err(CardError::Unformatted) => {}
        Err(error) => return Err(error),
    }
    let page = request.words[0];
    let mut data = [0; PAGE_BYTES];
    match function {
        Function::ErasePages => card.erase_raw(request.offset())?,
        Function::WritePage => {
            collect(state, request, &mut data)?;
            card.write_raw(page, &data)?;
        }
        _ => {
            card.read_raw(page, &mut data)?;
            give(state, request, &data)?;
        }
    }
    Ok(0)
}

/// Sends a page: whole lines to its place, what lies before and behind them in the record of the ends.
fn give(state: &mut State, request: &Request, data: &[u8; PAGE_BYTES]) -> Result<(), CardError> {
    let destination = request.data();
    let Cut { head, middle, tail } = cut(destination, PAGE_BYTES as u32, LINE);
    let (first, rest) = data.split_at(head as usize);
    let (whole, last) = rest.split_at(middle as usize);
    state.chunk[..whole.len()].copy_from_slice(whole);
    if !sifman::give_program(state.chunk.as_ptr() as u32, destination + head, middle) {
        return Err(CardError::Denied);
    }
    let edges = &mut state.edges_old;
    *edges = Edges::EMPTY;
    (edges.head_bytes, edges.head_destination) = (head, destination);
    (edges.tail_bytes, edges.tail_destination) = (tail, destination + head + middle);
    edges.head[..first.len()].copy_from_slice(first);
    edges.tail[..last.len()].copy_from_slice(last);
    send((&raw const *edges).cast(), request.parameter(), Edges::<16>::BYTES);
    Ok(())
}

/// Fetches a page: whole lines from its place, what lies before and behind them came with the request, one behind the other.
fn collect(state: &mut State, request: &Request, data: &mut [u8; PAGE_BYTES]) -> Result<(), CardError> {
    const ENDS: usize = 0x20;
    let source = request.data();
    let Cut { head, middle, tail } = cut(source, PAGE_BYTES as u32, LINE);
    let target = state.chunk.as_mut_ptr() as u32;
    fetch(&mut Fetched::new(), source + head, target, middle, 0).map_err(|_| CardError::NoCard)?;
    // SAFETY: the ends lie inside of the request buffer.
    let ends = unsafe { core::slice::from_raw_parts(request.buffer.cast::<u8>().add(ENDS), LINE as usize) };
    let (first, rest) = data.split_at_mut(head as usize);
    let (whole, last) = rest.split_at_mut(middle as usize);
    first.copy_from_slice(&ends[..head as usize]);
    whole.copy_from_slice(&state.chunk[..middle as usize]);
    last.copy_from_slice(&ends[head as usize..(head + tail) as usize]);
    Ok(())
}
