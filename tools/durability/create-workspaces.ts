import { createService, resolveConfiguration } from "@stemma/service";
import type { Credentials } from "./service/api.ts";

/** Makes workspaces of a data folder that no service serves. Returns a token of each: a start ends none. */
export async function createWorkspaces(folder: string, count: number): Promise<readonly string[]> {
	const configuration = resolveConfiguration({ content: { data: folder, log: { level: "error" } } });
	const { createWorkspace, fetch, close } = await createService(configuration);
	const tokens: string[] = [];
	for (let number = 0; number < count; number++)
		tokens.push(await getToken(fetch, await createWorkspace(`workspace ${number}`)));
	await close(0);
	return tokens;
}

async function getToken(
	fetch: (request: Request) => Promise<Response>,
	{ client_id, client_secret }: Credentials,
): Promise<string> {
	const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const response = await fetch(new Request("http://127.0.0.1/oauth/token", { method: "POST", body }));
	return ((await response.json()) as { readonly access_token: string }).access_token;
}
