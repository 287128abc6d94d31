// The wishlist of somebody who is signed in is also on the server. A heart shows at once what was
// tapped; what the server does not take goes back to how it was, with a word about it.
import { refusalOf } from "./own";
import { readIds, stored } from "./stored";
import { type Sync, send, sync } from "./sync";
import { toast } from "./toast";
import { MOST_WISHES, wishlist } from "./wishlist";

type Mirror = {
  // Whose wishes this browser shows; null: its own.
  uid: string | null;
  // What the server last said that is wished for.
  heard: string[];
};

export type Change = { id: string; wished: boolean };

const NOBODY: Mirror = { uid: null, heard: [] };
const mirror = stored("haat.wishlist.mirror", readMirror);

// What makes `before` into `now`, the oldest wish first; what goes, before what comes, so that a full
// list has room.
export function changes(before: string[], now: string[]): Change[] {
  const gone = before.filter((id) => !now.includes(id));
  const come = now.filter((id) => !before.includes(id)).reverse();
  return [
    ...gone.map((id) => ({ id, wished: false })),
    ...come.map((id) => ({ id, wished: true })),
  ];
}

export function changed(ids: string[], since: Change[]): string[] {
  return since.reduce((list, { id, wished }) => {
    const others = list.filter((other) => other !== id);
    return wished ? [id, ...others].slice(0, MOST_WISHES) : others;
  }, ids);
}

export function wishlistSync(): Sync {
  return sync({
    name: "haat.wishlist",
    soon: 0,
    owner: () => mirror.get().uid,
    waiting: () => waiting().length > 0,
    subscribe: wishlist.subscribe,
    exchange,
    putAway,
  });
}

function waiting(): Change[] {
  return changes(mirror.get().heard, wishlist.ids());
}

async function exchange(whose: string, current: () => boolean): Promise<"told" | "refused"> {
  const before = wishlist.ids();
  const [next] = waiting();
  if (mirror.get().uid !== whose) {
    const answer = await send("POST", "/api/wishlist", { products: before });
    if (!answer.ok) return "refused";
    if (current()) await hear(answer, whose, before);
  } else if (next === undefined) {
    const answer = await send("GET", "/api/wishlist");
    if (!answer.ok) return "refused";
    if (current()) await hear(answer, whose, before);
  } else {
    // One after the other: each can be refused for a reason of its own.
    const answer = await send(next.wished ? "PUT" : "DELETE", `/api/wishlist/${next.id}`).catch(
      () => null,
    );
    if (!current()) return "told";
    if (answer?.ok) await hear(answer, whose, before);
    else goBack(next, answer && (await refusalOf(answer)).message);
  }
  return "told";
}

// The server's list, with what is still to be sent, and what was tapped here since it was asked.
async function hear(answer: Response, whose: string, before: string[]): Promise<void> {
  const { products } = (await answer.json()) as { products?: unknown };
  const told = readIds(products, MOST_WISHES);
  const { uid, heard } = mirror.get();
  const unsent = uid === whose ? changes(heard, before) : [];
  const since = changes(before, wishlist.ids());
  mirror.change(() => ({ uid: whose, heard: told }));
  wishlist.replace(() => changed(told, [...unsent, ...since]));
}

// To where it stood.
function goBack({ id, wished }: Change, why: string | null): void {
  const { heard } = mirror.get();
  wishlist.replace((ids) =>
    wished
      ? ids.filter((other) => other !== id)
      : [
          ...ids.filter((other) => !heard.includes(other)),
          ...heard.filter((other) => other === id || ids.includes(other)),
        ],
  );
  toast.error(why ?? "Your wishlist could not be reached. Please try again in a moment.");
}

// The wishes are their owner's, and on the server.
function putAway(): void {
  mirror.change(() => NOBODY);
  wishlist.replace(() => []);
}

function readMirror(found: unknown): Mirror {
  if (typeof found !== "object" || found === null) return NOBODY;
  const { uid, heard } = found as Partial<Mirror>;
  return { uid: typeof uid === "string" ? uid : null, heard: readIds(heard, MOST_WISHES) };
}
