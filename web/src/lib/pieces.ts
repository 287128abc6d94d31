// Pieces of code that come when they are first wanted. One that does not come is asked for once more,
// because networks mostly only stumble; after that a reload is all that helps, and is offered.
import { type ComponentType, type LazyExoticComponent, lazy } from "react";

const AGAIN_AFTER = 400;
const OFFER = "reload-offer";

export async function piece<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((done) => setTimeout(done, AGAIN_AFTER));
    return await load();
  }
}

// A component in a piece of its own. Where it cannot be had there is nothing in its place.
export function lazyPiece<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    piece(load).catch(() => {
      offerReload();
      return { default: () => null };
    }),
  );
}

// In plain elements: it is needed exactly when React's part of the page is not there.
export function offerReload(): void {
  if (document.getElementById(OFFER) !== null) return;
  const offer = document.createElement("div");
  offer.id = OFFER;
  offer.role = "alert";
  const reload = document.createElement("button");
  reload.type = "button";
  reload.textContent = "Reload";
  reload.addEventListener("click", () => location.reload());
  offer.append("Part of this page did not load.", reload);
  document.body.append(offer);
}
