// Development only: a new build on the server reloads the page.
import { forgetOffline } from "./offline";

const HEADER = "x-haat-build";

export function reloadOnNewBuild(): void {
  void forgetOffline();
  let running: string | null = null;
  setInterval(async () => {
    const answer = await fetch("/readyz").catch(() => null);
    const build = answer?.headers.get(HEADER) ?? null;
    if (running !== null && build !== null && build !== running) location.reload();
    running = build ?? running;
  }, 1000);
}
