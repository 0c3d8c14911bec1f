import { isVisibleAscii } from "../../auth/credential";
import { type HttpAddress, parseAddress } from "./http-address";
import type { McpAuthorization, McpTokenStore } from "./token-store";

const MAX_SECRETS = 16;

/** Authorization for one MCP server in the store of the app. */
export class StoredAuthorization {
	readonly #store: McpTokenStore;
	readonly #url: string;
	readonly #server: HttpAddress;
	#secrets: readonly string[] = [];

	/** @param url - the key of the store. */
	constructor(store: McpTokenStore, url: string, server: HttpAddress) {
		this.#store = store;
		this.#url = url;
		this.#server = server;
	}

	/** Secrets that were loaded or saved of late, and may come back in errors. */
	get secrets(): readonly string[] {
		return this.#secrets;
	}

	/** Another process may have written it. Nothing that is stored for another origin is used. */
	async load(): Promise<McpAuthorization | undefined> {
		const stored = await this.#store.get(this.#url);
		if (stored === undefined || parseAddress(stored.resource)?.origin !== this.#server.origin)
			return undefined;
		this.#addSecrets(stored);
		return stored.accessToken === undefined || isVisibleAscii(stored.accessToken)
			? stored
			: { ...stored, accessToken: undefined };
	}

	async save(authorization: McpAuthorization): Promise<void> {
		this.#addSecrets(authorization);
		await this.#store.set(this.#url, authorization);
	}

	#addSecrets({ accessToken, refreshToken, client, pending }: McpAuthorization): void {
		const sent = [accessToken, refreshToken, client?.secret, pending?.codeVerifier];
		const others = sent.flatMap((secret) =>
			secret === undefined || this.#secrets.includes(secret) ? [] : [secret],
		);
		this.#secrets = [...others, ...this.#secrets].slice(0, MAX_SECRETS);
	}
}
