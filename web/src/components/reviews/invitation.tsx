import type { Standing } from "../../lib/api.gen";
import { useAccount } from "../../lib/auth";
import type { Loaded } from "../../lib/loaded";
import { REVIEWS } from "../../lib/reviews";
import { loginUrl, productUrl } from "../../lib/urls";
import { Button, ButtonLink } from "../../ui/button";
import { Skeleton } from "../../ui/skeleton";
import styles from "./invitation.module.css";

type Props = {
  product: string;
  standing: Loaded<Standing | null>;
  writing: boolean;
  onWrite: () => void;
};

// The way to write, or why there is none.
export function Invitation({ product, standing, writing, onWrite }: Props) {
  return (
    <div className={styles.invitation}>
      <p>Everybody who writes here has bought it in this shop.</p>
      <div className="with-js">
        <Way product={product} standing={standing} writing={writing} onWrite={onWrite} />
      </div>
    </div>
  );
}

function Way({ product, standing: { value, failed, retry }, writing, onWrite }: Props) {
  const { loading, user } = useAccount();
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
