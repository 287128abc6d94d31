// Codes in text messages that prove the phone number of an order without an account.
import { apiFetch, errorMessage, readError } from "../../lib/api";
import type { PhoneCodeRequest } from "../../lib/api.gen";
import { asciiDigits } from "../../lib/numbers";
import { jsonBody, LONGEST_WAIT } from "../auth/api-auth";

// Resolves to a message on failure.
export async function sendPhoneCode(request: PhoneCodeRequest): Promise<string | null> {
  const init = jsonBody({ ...request, phone: asciiDigits(request.phone.trim()) });
  const signal = AbortSignal.timeout(LONGEST_WAIT);
  try {
    const answer = await apiFetch("/api/orders/phone-code", { ...init, signal });
    return answer.ok ? null : (await readError(answer)).message;
  } catch (why) {
    return errorMessage(why);
  }
}
