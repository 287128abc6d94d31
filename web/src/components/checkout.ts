import type { ComponentType } from "react";

// The steps behind the cart. Null while they are not there: then nothing leads to them.
export const Checkout = null as ComponentType | null;
