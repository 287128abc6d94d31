//! The program holds the storefront's built files: build again when they were.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
    println!("cargo:rerun-if-changed=../../demo/pictures");
    println!("cargo:rerun-if-changed=../../demo/content");
}
