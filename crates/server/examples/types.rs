//! Prints the browser's types (`make types`). An example and not part of the program, because the
//! program holds the storefront, which is built from these types.

fn main() {
    print!("{}", server::api::typescript(&server::api::description()));
}
