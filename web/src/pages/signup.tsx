import { Entrance, Instead, Or } from "../components/entrance/entrance";
import { RegisterForm } from "../components/entrance/register-form";
import { SocialButtons } from "../components/entrance/social-buttons";
import { PageHead } from "../components/page-head";
import type { PageOf } from "../lib/page";

export default function SignupPage(page: PageOf<"signup">) {
  const { shop } = page;
  return (
    <Entrance title="Sign up" words="One place for your orders, on every device.">
      <PageHead
        page={page}
        title={`Sign up · ${shop.name}`}
        description={`Sign up for an account at ${shop.name}.`}
      />
      <RegisterForm submit="Sign up" />
      <SocialButtons
        providers={["google.com"]}
        above={<Or>or</Or>}
        label={(name) => `CONTINUE WITH ${name.toUpperCase()}`}
      />
      <Instead question="Already have an account?" to="/login">
        Please Login
      </Instead>
    </Entrance>
  );
}
