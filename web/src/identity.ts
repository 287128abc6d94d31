// The identity SDK, with what a signed-in customer has on the server too. Loaded after the first
// paint.
import * as sdk from "./features/auth/identity";
import { cartSync } from "./features/cart/cart-sync";
import { quoteSync } from "./features/cart/quote";
import { wishlistSync } from "./features/wishlist/wishlist-sync";
import type { IdentitySettings } from "./lib/api.gen";

export function createIdentity(
  settings: IdentitySettings,
  onUser: (user: sdk.User | null) => void,
): sdk.Identity {
  return sdk.createIdentity(settings, onUser, [cartSync(), wishlistSync(), quoteSync]);
}
