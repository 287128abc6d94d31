import * as common from "messages/common";
import * as m from "messages/reviews";
import type { Standing } from "../../../lib/api.gen";
import { loginUrl, productUrl } from "../../../lib/urls";
import type { AsyncValue } from "../../../lib/use-async";
import { Button, ButtonLink } from "../../../ui/button";
import { Skeleton } from "../../../ui/skeleton";
import { useAuth } from "../../auth/auth";
import { REVIEWS } from "../review-api";
import styles from "./write-prompt.module.css";

type Props = {
  product: string;
  standing: AsyncValue<Standing | null>;
  writing: boolean;
  onWrite: () => void;
};

// The button to write a review, or why there is none.
export function WritePrompt({ product, standing, writing, onWrite }: Props) {
  return (
    <div className={styles.invitation}>
      <p>{m.boughtHere()}</p>
      <div className="with-js">
        <PromptAction product={product} standing={standing} writing={writing} onWrite={onWrite} />
      </div>
    </div>
  );
}

function PromptAction({ product, standing: { value, failed, retry }, writing, onWrite }: Props) {
  const { loading, user } = useAuth();
  if (user === null) {
    if (loading) return <Skeleton height="3rem" />;
    const back = `${productUrl(product)}#${REVIEWS}`;
    return (
      <ButtonLink quiet href={loginUrl(back)}>
        {m.signInToWrite()}
      </ButtonLink>
    );
  }
  if (failed) {
    return (
      <p role="alert">
        {m.ownNotLoaded()}{" "}
        <Button quiet onClick={retry}>
          {common.retry()}
        </Button>
      </p>
    );
  }
  if (value === null) return <Skeleton height="3rem" />;
  if (!value.mayWrite) return <p>{m.onceReceived()}</p>;
  if (writing || value.review !== null) return null;
  return <Button onClick={onWrite}>{m.write()}</Button>;
}
