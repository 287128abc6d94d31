// Lazy loading of code. A chunk that fails to load is requested once more, since most network
// failures are short; after that the visitor is offered a reload.
import * as m from "messages/common";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";

const RETRY_AFTER = 400;
const OFFER = "reload-offer";

export async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((done) => setTimeout(done, RETRY_AFTER));
    return await load();
  }
}

// A lazily loaded component. Renders nothing where its code cannot be loaded.
export function lazyComponent<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    loadWithRetry(load).catch(() => {
      offerReload();
      return { default: () => null };
    }),
  );
}

// Plain DOM: it is needed exactly when React may not be running.
export function offerReload(): void {
  if (document.getElementById(OFFER) !== null) return;
  const offer = document.createElement("div");
  offer.id = OFFER;
  offer.role = "alert";
  const reload = document.createElement("button");
  reload.type = "button";
  reload.textContent = m.reload();
  reload.addEventListener("click", () => location.reload());
  offer.append(m.partNotLoaded(), reload);
  document.body.append(offer);
}
