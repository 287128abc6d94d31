import * as m from "messages/auth";
import { AuthPage, OrDivider, SwitchLink } from "../features/auth/auth-page";
import { RegisterForm } from "../features/auth/register-form";
import { SocialButtons } from "../features/auth/social-buttons";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";
import { loginUrl } from "../lib/urls";

export default function RegisterPage(page: PageOf<"register">) {
  const { shop } = page;
  return (
    <AuthPage quiet title={m.makeAccount()} text={m.registerLead()}>
      <PageHead
        page={page}
        title={m.registerTitle({ shop: shop.name })}
        description={m.registerDescription({ shop: shop.name })}
      />
      <RegisterForm submit={m.register()} />
      <SocialButtons
        providers={["facebook.com", "google.com"]}
        above={<OrDivider>{m.orRegisterWith()}</OrDivider>}
      />
      <SwitchLink message={m.haveAccountSignIn} to={loginUrl()} />
    </AuthPage>
  );
}
