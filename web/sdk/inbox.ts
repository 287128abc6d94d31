// E-mails and text messages as a person would read them: an emulator lists their codes, a demo
// server shows the messages themselves.
import type { Purpose, ServerInfo } from "./environment";

const TIMEOUT = 60_000;

export interface Inbox {
  link(to: string, purpose: Purpose): Promise<string>;
  text(to: string): Promise<string>;
  /** All links sent to an address so far, newest first. */
  links(to: string): Promise<string[]>;
}

export function inbox(place: ServerInfo): Inbox {
  const read = new Set<string>();
  const links = place.mode === "emulator" ? listedLinks : emailLinks;
  const texts = place.mode === "emulator" ? listedTexts : messages;
  const unread = async (what: string, find: () => Promise<[id: string, value: string][]>) => {
    for (const end = Date.now() + TIMEOUT; Date.now() < end; await soon()) {
      for (const [id, value] of await find()) {
        if (read.has(id)) continue;
        read.add(id);
        return value;
      }
    }
    throw new Error(`no ${what} has arrived`);
  };
  return {
    links: (to) => links(place, to),
    link: (to, purpose) =>
      unread(`e-mail to ${to} with ${purpose}`, async () => {
        const found = await links(place, to);
        const fit = found.filter((link) => new URL(link).searchParams.get("mode") === purpose);
        return fit.map((link) => [link, link]);
      }),
    text: (to) => unread(`text message to ${to}`, () => texts(place, to)),
  };
}

const soon = () => new Promise((done) => setTimeout(done, 10));

type OobCode = { email: string; newEmail?: string; oobLink: string };
type VerificationCode = { phoneNumber: string; sessionInfo: string; code: string };

async function listedLinks(place: ServerInfo, to: string): Promise<string[]> {
  const { oobCodes = [] } = await list<{ oobCodes?: OobCode[] }>(place, "oobCodes");
  const mine = oobCodes.filter(({ email, newEmail }) => (newEmail ?? email) === to);
  return mine.map(({ oobLink }) => oobLink).reverse();
}

async function listedTexts(place: ServerInfo, to: string): Promise<[string, string][]> {
  const path = "verificationCodes";
  const { verificationCodes = [] } = await list<{ verificationCodes?: VerificationCode[] }>(
    place,
    path,
  );
  const mine = verificationCodes.filter(({ phoneNumber }) => phoneNumber === to).reverse();
  return mine.map(({ sessionInfo, code }) => [sessionInfo, code]);
}

async function list<T>(place: ServerInfo, path: string): Promise<T> {
  const answer = await fetch(`${place.url}/emulator/v1/projects/${place.projectId}/${path}`);
  return (await answer.json()) as T;
}

async function emailLinks(place: ServerInfo, to: string): Promise<string[]> {
  const pages = await pagesTo(place, to);
  return pages.flatMap(([, html]) => {
    const href = /href="([^"]*[?&;]oobCode=[^"]*)"/.exec(html)?.[1];
    return href === undefined ? [] : [href.replaceAll("&amp;", "&")];
  });
}

async function messages(place: ServerInfo, to: string): Promise<[string, string][]> {
  const pages = await pagesTo(place, to);
  return pages.flatMap(([path, html]) => {
    // Colours are six digits too.
    const words = html.replace(/<style.*?<\/style>/gs, " ").replace(/<[^>]*>/g, " ");
    const code = /(?<![\d#+])\d{6}(?!\d)/.exec(words)?.[0];
    return code === undefined ? [] : [[path, code] as [string, string]];
  });
}

async function pagesTo(place: ServerInfo, to: string): Promise<[path: string, html: string][]> {
  const html = await (await fetch(`${place.url}/dev/mail`)).text();
  const items = html.split("<li>").filter((item) => item.includes(`to ${to},`));
  const paths = items.map((item) => /href="([^"]+)"/.exec(item)?.[1] ?? "");
  return await Promise.all(
    paths.map(async (path): Promise<[string, string]> => {
      const page = await fetch(new URL(path, place.url));
      return [path, await page.text()];
    }),
  );
}
