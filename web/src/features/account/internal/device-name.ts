// A device's name from its User-Agent header.
import * as m from "messages/account";

type DeviceName = { name: string; handheld: boolean };

// The first match counts: most browsers also name the ones that they imitate.
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

export function deviceName(agent: string | null): DeviceName {
  const found = (list: [RegExp, string][]) => list.find(([sign]) => sign.test(agent ?? ""))?.[1];
  const [browser, system] = [found(BROWSERS), found(SYSTEMS)];
  const name = browser && system ? m.browserOnSystem({ browser, system }) : (browser ?? system);
  return {
    name: name ?? m.otherProgram(),
    handheld: system === "iPhone" || system === "iPad" || system === "Android",
  };
}
