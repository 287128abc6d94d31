//! Generates the browser's TypeScript types (`make types`). An example and not part of the program, because the
//! program embeds the storefront, which is built from these types.

fn main() {
    print!("{}", server::api::typescript());
}
