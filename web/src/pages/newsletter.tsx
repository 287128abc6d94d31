import * as m from "messages/forms";
import { ConfirmButton, homeLink, type Result, ResultPage } from "../features/layout/result-page";
import { NewsletterForm } from "../features/messages/newsletter-form";
import type { NewsletterStep } from "../lib/api.gen";
import type { PageOf } from "../lib/page";

const RESULTS: Record<NewsletterStep, () => Result> = {
  form: () => ({ title: m.newsletter(), message: m.newsletterText(), next: <NewsletterForm /> }),
  sent: () => ({ title: m.almostThere(), message: m.almostThereText(), next: homeLink }),
  confirm: () => ({
    title: m.confirm(),
    message: m.confirmText(),
    next: <ConfirmButton>{m.confirmYes()}</ConfirmButton>,
  }),
  confirmed: () => ({ title: m.confirmed(), message: m.confirmedText(), next: homeLink }),
  leave: () => ({
    title: m.leave(),
    message: m.leaveText(),
    next: <ConfirmButton>{m.leaveYes()}</ConfirmButton>,
  }),
  left: () => ({ title: m.left(), message: m.leftText(), next: homeLink }),
  stale: () => ({ title: m.staleLink(), message: m.staleLinkText(), next: <NewsletterForm /> }),
};

export default function NewsletterPage(page: PageOf<"newsletter">) {
  return <ResultPage page={page} result={resultOf(page)} />;
}

function resultOf({ props: { moment }, shop }: PageOf<"newsletter">): Result {
  // After submitting the form without JavaScript.
  if (moment === "sent" && !shop.sendsEmail)
    return { title: m.notSent(), message: m.notSentText(), next: homeLink };
  const usual = RESULTS[moment]();
  // The demo's frequency and topic; other shops have none configured.
  const demo = shop.demo && moment === "confirm";
  return demo ? { ...usual, message: m.newsletterText() } : usual;
}
