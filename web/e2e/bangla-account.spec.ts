// An account in Bangla: the profile, the links in e-mails, the second step, and deletion.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { totp } from "../sdk/totp";
import { banglaDigits, bn, header, heading, openPage, say, signIn, signInAt } from "./bangla";
import { expectBangla, latinWordsIn } from "./bangla-texts";
import { newCustomer, newEmail, PASSWORD, PHONE } from "./customer";
import { actionLink, verifiedCustomer } from "./identity";
import { hydrated } from "./locators";
import { expect, test } from "./shop";

const PROFILE = "/bn/account/profile";
const CUSTOMER = "মিনা দাস";
const NEW_PASSWORD = "Bazaar#22";

// The name of the device in the profile.
const DEVICE = ["Chrome", "Linux"];

// Refused calls are 400; after a change of address or password the old tokens are 401.
test.use({ allowedErrors: [/\b40[01]\b/] });

const { account, auth, emailAction } = bn;

const dialog = (page: Page) => page.getByRole("dialog");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const expectText = (page: Page, text: string) =>
  expect(page.getByText(text, { exact: true })).toBeVisible();

async function openLink(page: Page, email: string, subject: string, title: string): Promise<void> {
  await page.goto(await actionLink(page, email, subject));
  await hydrated(page);
  await expect(heading(page)).toHaveText(title);
  await expectBangla(page, subject);
}

test("name, photo and addresses are changed", async ({ page }) => {
  const email = newEmail();
  await newCustomer(page, email, CUSTOMER);
  await signInAt(page, PROFILE, email);
  const name = page.getByLabel(account.displayName);
  await expect(name).toHaveValue(CUSTOMER);
  await name.fill(" ");
  await press(page, account.saveName);
  await expect(name).toHaveAccessibleDescription(auth.nameRequired);
  await name.fill("মিনা রহমান");
  await press(page, account.saveName);
  await expectText(page, account.nameChanged);
  await expect(header(page).getByText("মিনা রহমান")).toBeVisible();

  const photo = page.getByLabel(account.photo, { exact: true });
  const file = { name: "me.jpg", mimeType: "image/jpeg" };
  await photo.setInputFiles({ ...file, buffer: Buffer.from("no photo") });
  await expect(page.getByRole("alert")).toHaveText(/[\u0980-\u09ff]/);
  await expectBangla(page, "the refused photo", DEVICE);
  const drawn = await page.evaluate(() => document.createElement("canvas").toDataURL("image/jpeg"));
  const buffer = Buffer.from(drawn.split(",")[1] ?? "", "base64");
  await photo.setInputFiles({ ...file, buffer });
  await expectText(page, account.photoSaved);
  await press(page, say(account.removePhoto));
  await expectText(page, account.photoRemoved);

  await press(page, account.addAddress);
  await dialog(page).getByLabel(auth.name, { exact: true }).fill(CUSTOMER);
  await dialog(page).getByLabel(account.address, { exact: true }).fill("বাড়ি ৭, খুলনা");
  await press(page, account.saveAddress);
  const phone = dialog(page).getByLabel(account.phone);
  await expect(phone).toHaveAccessibleDescription(bn.addresses.phoneRequired);
  expect(await latinWordsIn(dialog(page))).toEqual([]);
  await phone.fill(banglaDigits(PHONE));
  await press(page, account.saveAddress);
  await expectText(page, account.addressSaved);
  const which = { name: CUSTOMER, address: "বাড়ি ৭, খুলনা" };
  await press(page, say(account.editAddress, which));
  await expect(phone).toHaveValue(/\d{3}$|[০-৯]{3}$/);
  await press(page, account.saveAddress);
  await expect(dialog(page)).toBeHidden();
  await press(page, say(account.removeAddress, which));
  await expectText(page, account.addressRemoved);
  await expectText(page, account.noAddresses);
});

test("password and e-mail address are changed, and the change undone", async ({ page }) => {
  const [email, next] = [newEmail(), newEmail()];
  await newCustomer(page, email, CUSTOMER);
  await signInAt(page, PROFILE, email);
  const current = page.getByLabel(account.currentPassword);
  const confirm = page.getByLabel(account.confirmPassword);
  await current.fill("Wrong#123");
  await page.getByLabel(account.newPassword, { exact: true }).fill(NEW_PASSWORD);
  await confirm.fill(PASSWORD);
  await press(page, account.changePassword);
  await expect(confirm).toHaveAccessibleDescription(account.passwordsDiffer);
  await confirm.fill(NEW_PASSWORD);
  await press(page, account.changePassword);
  await expect(current).toHaveAccessibleDescription(account.wrongPassword);
  await current.fill(PASSWORD);
  await press(page, account.changePassword);
  await expectText(page, account.passwordChanged);

  const address = page.getByLabel(account.newEmailAddress);
  await address.fill(email);
  await press(page, account.sendEmail);
  await expect(address).toHaveAccessibleDescription(account.sameEmail);
  await address.fill(next);
  await press(page, account.sendEmail);
  await expect(page.getByRole("status").filter({ hasText: next })).toBeVisible();
  await expectBangla(page, "the profile", DEVICE);

  await openLink(page, next, bn.email.changeSubject, emailAction.confirmAddress);
  await press(page, emailAction.confirmChange);
  await expect(heading(page)).toHaveText(emailAction.addressChanged);
  await openLink(page, email, bn.email.changedSubject, emailAction.wasNotYou);
  await press(page, emailAction.undoChange);
  await expect(heading(page)).toHaveText(emailAction.changeUndone);
  await expectBangla(page, "the undone change");
  await openLink(page, email, bn.email.resetSubject, emailAction.choosePassword);
  await page.getByLabel(emailAction.newPassword).fill(PASSWORD);
  await press(page, emailAction.changePassword);
  await expect(heading(page)).toHaveText(emailAction.passwordChanged);
});

test("a second step is set up, asked for and removed, and every device signed out", async ({
  page,
}) => {
  const email = newEmail();
  await verifiedCustomer(page, email, PASSWORD);
  await signInAt(page, PROFILE, email);
  await press(page, account.setUpApp);
  await expect(dialog(page).getByRole("img", { name: account.keyQrCode })).toBeVisible();
  const secret = ((await dialog(page).locator("code").textContent()) ?? "").replaceAll(" ", "");
  const code = page.getByLabel(auth.sixDigitCode);
  await code.fill("০০০০০০");
  await press(page, account.turnOn);
  await expect(code).toHaveAccessibleDescription(auth.wrongCode);
  expect(await latinWordsIn(dialog(page))).toEqual([]);
  await code.fill(banglaDigits(totp(secret)));
  await press(page, account.turnOn);
  await expectText(page, account.secondStepAdded);

  const tabs = page.getByRole("navigation", { name: account.yourAccount });
  await tabs.getByRole("button", { name: account.logOut }).click();
  await expect(page).toHaveURL(/\/bn$/);
  await openPage(page, "/bn/login?from=%2Fbn%2Faccount%2Fprofile");
  await signIn(page, email);
  await expect(heading(page)).toHaveText(auth.oneMoreStep);
  await press(page, auth.signIn);
  await expect(code).toHaveAccessibleDescription(auth.codeInvalid);
  await expectBangla(page, "the second step");
  await code.fill(banglaDigits(totp(secret, 1)));
  await press(page, auth.signIn);
  await expect(page).toHaveURL(/\/bn\/account\/profile$/);
  await press(page, say(account.removeNamed, { name: auth.authenticatorApp }));
  await expectText(page, account.secondStepRemoved);
  await expectText(page, account.thisDevice);
  await press(page, account.signOutEverywhere);
  await expect(page).toHaveURL(/\/bn\/login\?from=/);
  await expect(heading(page)).toHaveText(auth.welcomeBack);
});

test("a forgotten password is replaced; data is downloaded, and the account deleted", async ({
  page,
}) => {
  const email = newEmail();
  await newCustomer(page, email, CUSTOMER);
  await openPage(page, "/bn/login");
  await page.getByLabel(auth.email, { exact: true }).fill(email);
  await press(page, auth.forgotPassword);
  await press(page, auth.sendLink);
  await expectText(page, auth.resetSent);
  await openLink(page, email, bn.email.resetSubject, emailAction.choosePassword);
  await page.getByLabel(emailAction.newPassword).fill(NEW_PASSWORD);
  await press(page, emailAction.changePassword);
  await expect(heading(page)).toHaveText(emailAction.passwordChanged);
  await page.getByRole("main").getByRole("link", { name: bn.common.signIn }).click();
  await signIn(page, email, NEW_PASSWORD);
  await expect(header(page).getByText(CUSTOMER)).toBeVisible();

  // The switch changes the language of the account at once, not with the next access token.
  await openPage(page, "/account/profile");
  const exchanged = page.waitForResponse(
    (answer) => answer.url().includes("/api/user/jwt") && answer.ok(),
  );
  await header(page).getByRole("link", { name: "বাংলা", exact: true }).click();
  await expect(page).toHaveURL(/\/bn\/account\/profile$/);
  await exchanged;
  await hydrated(page);
  const download = page.waitForEvent("download");
  await press(page, account.downloadData);
  const data = JSON.parse(readFileSync(await (await download).path(), "utf8")) as {
    profile: object;
  };
  expect(data.profile).toMatchObject({ email, name: CUSTOMER, language: "bn" });

  await press(page, account.deleteAccount);
  await expect(dialog(page)).toContainText(account.cannotBeUndone);
  expect(await latinWordsIn(dialog(page))).toEqual([]);
  const password = dialog(page).getByLabel(account.yourPassword);
  await password.fill("Wrong#123");
  await press(page, account.deleteForGood);
  await expect(password).toHaveAccessibleDescription(account.wrongPassword);
  await password.fill(NEW_PASSWORD);
  await press(page, account.deleteForGood);
  await expectText(page, account.accountDeleted);
  await expect(page).toHaveURL(/\/bn$/);
});
