//! The game's IOP module. It will stream disc data and audio and answer the EE over SIF RPC.
#![no_std]
