import type { CeremonyChanges, SoftwareAuthenticator } from "@stemma/simulators/software-authenticator";
import type { SendRequest, TestResponse } from "../../test-support/send-request";
import { PAGE_HEADERS, readCookie, type TestUser } from "./people-fixture";

/** Asks for options, and returns them with the cookie of the attempt. */
export async function beginCeremony(
	send: SendRequest,
	path: string,
	headers: Readonly<Record<string, string>> = {},
) {
	const response = await send("POST", path, { headers: { ...PAGE_HEADERS, ...headers } });
	if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
	return { options: response.body, attempt: readCookie(response) };
}

/** Sends a new passkey as the page of a person does. */
export async function addPasskey(
	user: TestUser,
	authenticator: SoftwareAuthenticator,
	changes: CeremonyChanges = {},
	more: object = {},
): Promise<TestResponse> {
	const { options, attempt } = await beginCeremony(user.send, "/v1/passkeys/options");
	const json = { response: authenticator.register(options, changes), ...more };
	return user.send("POST", "/v1/passkeys", { json, headers: { cookie: `${user.cookie}; ${attempt}` } });
}

/** Signs in with a passkey, as a page without a session does. */
export async function signInByPasskey(
	send: SendRequest,
	authenticator: SoftwareAuthenticator,
	changes: CeremonyChanges = {},
	headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
	const { options, attempt } = await beginCeremony(send, "/v1/session/passkey/options", headers);
	const cookie = headers.cookie === undefined ? attempt : `${headers.cookie}; ${attempt}`;
	return send("POST", "/v1/session/passkey", {
		json: { response: authenticator.authenticate(options, changes) },
		headers: { ...PAGE_HEADERS, ...headers, cookie },
	});
}
