import type { Secret } from "../encryption/secret";
import type { Configuration } from "./configuration";

/** All that must never be told of a configuration. */
export const listSecrets = ({
	providers,
	embeddings,
	rerank,
	encryption,
	metrics,
	signIn,
}: Configuration): readonly Secret[] => [
	...Object.values(providers).flatMap(({ credential }) => credential ?? []),
	...[embeddings, rerank].flatMap((vendor) => vendor?.credential ?? []),
	...(metrics?.token === undefined ? [] : [metrics.token]),
	...signIn.issuers.flatMap(({ clientSecret }) => clientSecret ?? []),
	...encryption.keys.map(({ key }) => key),
];
