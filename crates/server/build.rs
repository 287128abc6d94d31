//! The program embeds the built storefront: recompile when it changes.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
    println!("cargo:rerun-if-changed=../../demo/pictures");
    println!("cargo:rerun-if-changed=../../demo/content");
}
