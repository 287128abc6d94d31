import type { ReactNode } from "react";
import { PageHead } from "../components/page-head";
import { Subscribe } from "../components/subscribe";
import type { Moment } from "../lib/api.gen";
import type { PageOf } from "../lib/page";
import { Button, ButtonLink } from "../ui/button";
import styles from "./newsletter.module.css";

type Words = { title: string; message: string; next: ReactNode };

const home = (
  <ButtonLink href="/" quiet>
    Back to the shop
  </ButtonLink>
);

const WORDS: Record<Moment, Words> = {
  sent: {
    title: "Almost there",
    message: "Open the letter we have just sent you and confirm the address.",
    next: home,
  },
  confirm: {
    title: "Shall we write to you?",
    message: "One letter a month: what is new on the stall, and one thing worth knowing.",
    next: <Press>Yes, write to me</Press>,
  },
  confirmed: {
    title: "Thank you. You are on the list.",
    message: "The next letter comes to you too. Each has a link to leave.",
    next: home,
  },
  leave: {
    title: "Leave the newsletter?",
    message: "One press, and the address is deleted.",
    next: <Press>Leave</Press>,
  },
  left: {
    title: "You have left.",
    message: "The address is deleted, and no letter follows. You are welcome back at any time.",
    next: home,
  },
  stale: {
    title: "This link does not work any more.",
    message: "It waits for a week, and not all of it may have come with you. Ask for a new letter:",
    next: <Subscribe />,
  },
};

export default function NewsletterPage(page: PageOf<"newsletter">) {
  const { title, message, next } = WORDS[page.props.moment];
  return (
    <div className={`wrap ${styles.newsletter}`}>
      <PageHead page={page} title={`${title} · ${page.shop.name}`} description={message} />
      <h1>{title}</h1>
      <p>{message}</p>
      <div className={styles.next}>{next}</div>
    </div>
  );
}

// Sends the form to the page's own address, in which the letter's link put what is needed.
function Press({ children }: { children: ReactNode }) {
  return (
    <form method="post">
      <Button type="submit">{children}</Button>
    </form>
  );
}
