import { expect, test } from "vitest";
import { deviceName } from "./device-name";

const MOZILLA = "Mozilla/5.0";

test.each([
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36`,
    { name: "Chrome on Windows", handheld: false },
  ],
  [
    `${MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0`,
    { name: "Edge on Windows", handheld: false },
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`,
    { name: "Safari on iPhone", handheld: true },
  ],
  [
    `${MOZILLA} (Linux; Android 14; SM-S921B) AppleWebKit/537.36 SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36`,
    { name: "Samsung Internet on Android", handheld: true },
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`,
    { name: "Safari on Mac", handheld: false },
  ],
  [
    `${MOZILLA} (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0`,
    { name: "Firefox on Linux", handheld: false },
  ],
  ["curl/8.5.0", { name: "Another program", handheld: false }],
  ["", { name: "Another program", handheld: false }],
  [null, { name: "Another program", handheld: false }],
])("%s", (agent, name) => expect(deviceName(agent)).toEqual(name));
