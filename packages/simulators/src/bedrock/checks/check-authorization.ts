import type { RawRequest } from "../raw-request.ts";
import { Rejection, rejectUnauthorized } from "../rejection.ts";
import { checkSignature, type SigningAccount } from "./check-signature.ts";

/** Who may call. */
export interface SimulatedAccount extends SigningAccount {
	readonly bearerKeys: readonly string[];
}

/** What a request was let in with. */
export type UsedCredential =
	| { readonly kind: "bearer"; readonly key: string }
	| { readonly kind: "signature"; readonly accessKeyId: string; readonly sessionToken?: string };

export async function checkAuthorization(
	request: RawRequest,
	account: SimulatedAccount,
): Promise<UsedCredential> {
	const { authorization } = request.headers;
	if (authorization === undefined)
		rejectUnauthorized(403, "MissingAuthenticationTokenException", "Missing Authentication Token");
	const [, key] = /^Bearer (.*)$/.exec(authorization) ?? [];
	if (key !== undefined) return checkKey(key, account.bearerKeys);
	const { accessKeyId, sessionToken } = await checkSignature(request, authorization, account);
	return { kind: "signature", accessKeyId, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function checkKey(key: string, known: readonly string[]): UsedCredential {
	if (known.includes(key)) return { kind: "bearer", key };
	const message = "Authentication failed: Please make sure your API Key is valid.";
	throw new Rejection(403, "AccessDeniedException", message, {
		source: "com.amazon.coral.service",
		body: { Message: message },
	});
}
