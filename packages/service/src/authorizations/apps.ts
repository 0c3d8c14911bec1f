import { clock } from "@stemma/core/internal";
import type * as z from "zod";
import { createId } from "../create-id";
import { AuthorizationError } from "./authorization-error";
import { MAX_REGISTERED_APPS, METADATA_TTL_MS, UNUSED_APP_TTL_MS } from "./authorization-limits";
import type { AppRepository } from "./authorization-repository";
import {
	type appMetadata,
	type FetchMetadata,
	fetchMetadataDocument,
	isMetadataUrl,
	toAppName,
} from "./client-metadata-document";
import { isRedirectUri } from "./redirect-uri";
import type { App } from "./stored-authorizations";

/** Apps that ask people for access: known by the address of a metadata document, or registered by themselves. */
export interface Apps {
	/** @throws AuthorizationError `invalid_client` */
	get(id: string): Promise<App>;
	/** Registers an app (RFC 7591). @throws AuthorizationError `invalid_redirect_uri` */
	register(metadata: z.output<typeof appMetadata>): Promise<App>;
	/** Forgets those that nobody has given access. */
	sweep(): Promise<void>;
}

/** Metadata documents that are kept at once; the oldest makes room. */
const MAX_KEPT_METADATA = 1_000;

export function createApps(repository: AppRepository, fetch: FetchMetadata): Apps {
	const documents = new Map<string, { readonly app: App; readonly until: number }>();

	async function getByDocument(id: string): Promise<App> {
		const known = documents.get(id);
		if (known !== undefined && known.until > clock.now()) return known.app;
		const app = await fetchMetadataDocument(id, fetch);
		documents.delete(id);
		documents.set(id, { app, until: clock.now() + METADATA_TTL_MS });
		const [oldest = ""] = documents.keys();
		if (documents.size > MAX_KEPT_METADATA) documents.delete(oldest);
		return app;
	}
	return {
		async get(id) {
			if (isMetadataUrl(id)) return getByDocument(id);
			const app = await repository.find(id);
			if (app !== undefined) return app;
			throw new AuthorizationError(
				"invalid_client",
				"There is no such app: it has to register again, or its client_id has to be the https address of its metadata.",
			);
		},
		async register({ client_name, redirect_uris }) {
			if (!redirect_uris.every(isRedirectUri)) throw invalidRedirectUri();
			const [first = ""] = redirect_uris;
			const name = toAppName(client_name, new URL(first).host);
			const app = { id: createId("app"), name, redirectUris: redirect_uris };
			await repository.insert(app, clock.now(), MAX_REGISTERED_APPS);
			return app;
		},
		sweep: () => repository.deleteUnused(clock.now() - UNUSED_APP_TTL_MS),
	};
}

const invalidRedirectUri = (): AuthorizationError =>
	new AuthorizationError(
		"invalid_redirect_uri",
		"A redirect_uri must be an https address, or an http address of 127.0.0.1, [::1] or localhost.",
	);
