import type { ServiceProcess } from "../end-to-end/servers";

/** A token for everything that the service's first client may do. */
export async function getAccessToken({ url, credentials }: ServiceProcess): Promise<string> {
	const { client_id, client_secret } = credentials;
	const answer = await fetch(`${url}/oauth/token`, {
		method: "POST",
		body: new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }),
	});
	const { access_token: token } = (await answer.json()) as { readonly access_token?: string };
	if (token === undefined) throw new Error(`The service gave no token, but HTTP ${answer.status}.`);
	return token;
}
