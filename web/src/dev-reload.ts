// Development only: reloads the page when the server has a new build.
import { removeServiceWorkers } from "./lib/offline";

const HEADER = "x-haat-build";

export function reloadOnNewBuild(): void {
  void removeServiceWorkers();
  let running: string | null = null;
  setInterval(async () => {
    const answer = await fetch("/readyz").catch(() => null);
    const build = answer?.headers.get(HEADER) ?? null;
    if (running !== null && build !== null && build !== running) location.reload();
    running = build ?? running;
  }, 1000);
}
