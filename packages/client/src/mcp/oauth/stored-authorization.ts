import { isVisibleAscii } from "../../auth/credential";
import { type HttpAddress, parseAddress } from "./http-address";
import type { McpAuthorization, McpTokenStore } from "./token-store";

/** Authorization for one MCP server in the store of the app. */
export interface StoredAuthorization {
	/** Another process may have written it. Nothing that is stored for another origin is used. */
	load(): Promise<McpAuthorization | undefined>;
	save(authorization: McpAuthorization): Promise<void>;
	/** Secrets that were loaded or saved of late, and may come back in errors. */
	secrets(): readonly string[];
}

const MAX_SECRETS = 16;

/** @param url - the key of the store. */
export function createStoredAuthorization(
	store: McpTokenStore,
	url: string,
	server: HttpAddress,
): StoredAuthorization {
	let secrets: readonly string[] = [];

	function addSecrets({ accessToken, refreshToken, client, pending }: McpAuthorization): void {
		const sent = [accessToken, refreshToken, client?.secret, pending?.codeVerifier];
		const others = sent.flatMap((secret) =>
			secret === undefined || secrets.includes(secret) ? [] : [secret],
		);
		secrets = [...others, ...secrets].slice(0, MAX_SECRETS);
	}

	return {
		async load() {
			const stored = await store.get(url);
			if (stored === undefined || parseAddress(stored.resource)?.origin !== server.origin) return undefined;
			addSecrets(stored);
			return stored.accessToken === undefined || isVisibleAscii(stored.accessToken)
				? stored
				: { ...stored, accessToken: undefined };
		},
		async save(authorization) {
			addSecrets(authorization);
			await store.set(url, authorization);
		},
		secrets: () => secrets,
	};
}
