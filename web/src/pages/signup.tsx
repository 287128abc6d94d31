import * as m from "messages/auth";
import { AuthPage, OrDivider, SwitchLink } from "../features/auth/auth-page";
import { RegisterForm } from "../features/auth/register-form";
import { SocialButtons } from "../features/auth/social-buttons";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";
import { loginUrl } from "../lib/urls";

export default function SignupPage(page: PageOf<"signup">) {
  const { shop } = page;
  return (
    <AuthPage title={m.signUp()} text={m.registerLead()}>
      <PageHead
        page={page}
        title={m.signUpTitle({ shop: shop.name })}
        description={m.signUpDescription({ shop: shop.name })}
      />
      <RegisterForm submit={m.signUp()} />
      <SocialButtons
        providers={["google.com"]}
        above={<OrDivider>{m.or()}</OrDivider>}
        label={m.continueWithGoogle}
      />
      <SwitchLink message={m.haveAccountLogin} to={loginUrl()} />
    </AuthPage>
  );
}
