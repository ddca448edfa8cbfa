//! Writes containers and packages: the build's side of the format.

use super::{Chunk, ChunkType, ContainerHeader, GroupHeader, PACKAGE};
use alloc::vec::Vec;

/// A chunk to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewChunk {
    /// Its type.
    pub kind: ChunkType,
    /// What it is.
    pub id: u32,
    /// Its data.
    pub data: Vec<u8>,
}

fn append(out: &mut Vec<u8>, chunks: &[NewChunk]) {
    for chunk in chunks {
        let size = chunk.data.len() as u32;
        out.extend(Chunk { kind: chunk.kind, size, id: chunk.id }.to_bytes());
        out.extend_from_slice(&chunk.data);
    }
}

/// A container of chunks.
pub fn container(id: u32, chunks: &[NewChunk]) -> Vec<u8> {
    let payload = chunks.iter().map(|chunk| chunk.data.len() as u32).sum();
    let mut out = Vec::from(ContainerHeader { count: chunks.len() as u32, payload, id }.to_bytes());
    append(&mut out, chunks);
    out
}

/// A package: groups of chunks by resource. A resource of 0 would end it.
pub fn package(groups: &[(u32, &[NewChunk])]) -> Vec<u8> {
    let mut out = Vec::from(ContainerHeader { count: groups.len() as u32, payload: 0, id: PACKAGE }.to_bytes());
    for (resource, chunks) in groups {
        out.extend(GroupHeader { count: chunks.len() as u32, resource: *resource }.to_bytes());
        append(&mut out, chunks);
    }
    out.extend(GroupHeader { count: 0, resource: 0 }.to_bytes());
    out
}
