//! `RR4…`: permissions and the tools that they grant.

pub mod grants;
pub mod palettes;
pub mod permissions;
#[cfg(test)]
mod tests;
