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
      <p>Everybody who writes here has bought it in this shop.</p>
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
        Sign in to write a review
      </ButtonLink>
    );
  }
  if (failed) {
    return (
      <p role="alert">
        Your own review could not be loaded.{" "}
        <Button quiet onClick={retry}>
          Retry
        </Button>
      </p>
    );
  }
  if (value === null) return <Skeleton height="3rem" />;
  if (!value.mayWrite) return <p>You can review it once you have paid for it or received it.</p>;
  if (writing || value.review !== null) return null;
  return <Button onClick={onWrite}>Write a review</Button>;
}
