import * as m from "messages/forms";
import { ConfirmButton, homeLink, type Result, ResultPage } from "../features/layout/result-page";
import type { StockAlertStep } from "../lib/api.gen";
import type { PageOf } from "../lib/page";

const RESULTS: Record<StockAlertStep, () => Result> = {
  asked: () => ({ title: m.noted(), message: m.notedText(), next: homeLink }),
  leave: () => ({
    title: m.noMore(),
    message: m.noMoreText(),
    next: <ConfirmButton>{m.forgetThem()}</ConfirmButton>,
  }),
  left: () => ({ title: m.forgotten(), message: m.forgottenText(), next: homeLink }),
  stale: () => ({ title: m.incomplete(), message: m.incompleteText(), next: homeLink }),
};

export default function BackInStockPage(page: PageOf<"back-in-stock">) {
  return <ResultPage page={page} result={resultOf(page)} />;
}

function resultOf({ props: { moment }, shop }: PageOf<"back-in-stock">): Result {
  // After submitting the form without JavaScript.
  if (moment === "asked" && !shop.sendsEmail)
    return { title: m.notAsked(), message: m.notAskedText(), next: homeLink };
  return RESULTS[moment]();
}
