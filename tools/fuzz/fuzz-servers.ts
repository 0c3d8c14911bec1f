import { startOidcSimulator } from "@stemma/simulators/oidc";
import { startOpenAiSimulator } from "@stemma/simulators/openai";
import { findPostgres, startPostgresServer } from "@stemma/simulators/postgres/postgres-server";
import { type OddServers, startOddServers } from "../contract/odd-requests/server";
import { openPostgresSession } from "./parts";

/** Servers with all that can be configured, so that each route does its work, and what they need. */
export interface FuzzServers {
	readonly servers: OddServers;
	/** Address of a model vendor, which wants `VENDOR_KEY`. */
	readonly vendorUrl: string;
	close(): Promise<void>;
}

export const VENDOR_KEY = "sk-of-the-vendor";
/** Key of the issuer in the configuration. */
export const ISSUER = "company";
const OIDC_CLIENT = { clientId: "stemma", clientSecret: "simulated-secret" };

/** @param isOnPostgres - the service keeps everything in a Postgres server, which is started for it. */
export async function startFuzzServers(isOnPostgres: boolean): Promise<FuzzServers> {
	const vendor = await startOpenAiSimulator({ apiKey: VENDOR_KEY });
	const issuer = await startOidcSimulator({
		...OIDC_CLIENT,
		origins: ["http://localhost:4000"],
		callbackPath: `/v1/sign-in/${ISSUER}/callback`,
	});
	const database = isOnPostgres ? await startDatabase() : undefined;
	const credential = { value: VENDOR_KEY };
	const address = { provider: "openai-compatible", base_url: vendor.baseUrl, credential } as const;
	const servers = await startOddServers({
		...(database !== undefined && { database: database.content }),
		encryption: { keys: [{ id: "fuzz", key: { value: Buffer.alloc(32, 7).toString("base64") } }] },
		outbound: { allow: ["127.0.0.1"] },
		limits: { requests_per_minute: 10_000_000, access_tokens_per_minute: 10_000_000 },
		providers: { main: { ...address, default_model: "host-model", allowed_models: ["host-second"] } },
		chat: "main",
		embeddings: { ...address, model: "host-vectors" },
		sign_in: {
			issuers: {
				[ISSUER]: {
					...{ name: "Company", issuer: issuer.issuer, client_id: OIDC_CLIENT.clientId },
					client_secret: { value: OIDC_CLIENT.clientSecret },
				},
			},
		},
	});
	return {
		servers,
		vendorUrl: vendor.baseUrl,
		async close() {
			await servers.close();
			await Promise.all([vendor.close(), issuer.close(), database?.stop()]);
		},
	};
}

async function startDatabase() {
	const bin = findPostgres();
	if (bin === undefined)
		throw new Error("There is no Postgres here: install postgresql or set POSTGRES_BIN.");
	const server = await startPostgresServer(bin);
	const admin = await openPostgresSession(server.toUrl("postgres", "postgres"));
	await admin.query("create role owner login; create role app login");
	await admin.query("create database stemma owner owner");
	await admin.close();
	const [url, owner_url] = [server.toUrl("app", "stemma"), server.toUrl("owner", "stemma")];
	const vectors = await openPostgresSession(server.toUrl("postgres", "stemma"));
	// Where it is not there, the service finds passages by words alone.
	await vectors.query("create extension if not exists vector").catch(() => undefined);
	await vectors.close();
	return { content: { url, owner_url }, stop: server.stop };
}
