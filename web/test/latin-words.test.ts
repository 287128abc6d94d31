import { expect, test } from "vitest";
import { latinWords } from "./latin-words";

test("finds words and numbers that are not Bangla", () => {
  expect(latinWords("কার্টে Add করুন, মোট 3টি, $4.50")).toEqual(["Add", "3", "4.50"]);
  expect(latinWords("১২টি পণ্য, ৳৪,৫০০, ক × খ, x")).toEqual([]);
});

test("leaves names, standards, addresses and codes alone", () => {
  for (const text of [
    "USB-C-র তার, DAB+ রেডিও, E27, IP67",
    "mina-17@example.com ঠিকানায়, https://shop.example/cart?a=1",
    "অর্ডার 7K3M-9QXF, INV-7K3M-9QXF, HT-AUD-001",
    "ফোন +880 1700 000 000",
  ])
    expect(latinWords(text), text).toEqual([]);
  expect(latinWords("Mina Das Sen", ["Mina", "Das"])).toEqual(["Sen"]);
});
