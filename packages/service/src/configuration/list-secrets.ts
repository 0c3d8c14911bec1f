import type { Secret } from "../encryption/secret";
import type { Configuration } from "./configuration";
import { listDatabaseSecrets } from "./database-schema";

/** All that must never be told of a configuration. */
export const listSecrets = ({
	database,
	providers,
	embeddings,
	rerank,
	encryption,
	metrics,
	signIn,
}: Configuration): readonly Secret[] => [
	...(database === undefined ? [] : listDatabaseSecrets(database)),
	...Object.values(providers).flatMap(({ credential }) => credential ?? []),
	...[embeddings, rerank].flatMap((vendor) => vendor?.credential ?? []),
	...(metrics?.token === undefined ? [] : [metrics.token]),
	...signIn.issuers.flatMap(({ clientSecret }) => clientSecret ?? []),
	...encryption.keys.map(({ key }) => key),
];
