import { expect, test } from "vitest";
import { openMemoryDatabase } from "../../http/test-support/memory-database";
import { type DeploymentTables, deploymentMigrations } from "../../store/deployment-tables";
import { createDeploymentStore } from "../../store/repositories/deployment/deployment-store";
import { toStoredClient } from "../api-clients";
import { MAX_LIVE_TOKENS } from "../budgets/token-limits";
import { createAccessTokens } from "./access-tokens";

const SECRET = "sec_right";
const client = { clientId: "cl_1", clientSecret: SECRET };
const UNLIMITED = { countToken: () => 0, countAppToken: () => 0, countFailure: () => 0 };

async function openTokens(limits = UNLIMITED) {
	const database = openMemoryDatabase<DeploymentTables>(deploymentMigrations);
	await database.write.insertInto("workspaces").values({ id: "ws_1", name: "", created_at: 0 }).execute();
	const store = createDeploymentStore(database);
	const client = toStoredClient({ id: "cl_1", name: "server", scopes: ["ask"] }, SECRET);
	await store.clients.insert("ws_1", client, { actor: "operator", action: "client.created", target: "cl_1" });
	return { database, tokens: createAccessTokens(store, limits) };
}

test("a client has a bounded number of live tokens: the one that ends next makes room", async () => {
	const { database, tokens } = await openTokens();
	const granted: string[] = [];
	for (let count = 0; count < MAX_LIVE_TOKENS + 5; count++) {
		const outcome = await tokens.grant(client);
		if (outcome.kind === "token") granted.push(outcome.accessToken);
	}
	expect(granted).toHaveLength(MAX_LIVE_TOKENS + 5);
	const rows = await database.read.selectFrom("access_tokens").select("client_id").execute();
	expect(rows).toHaveLength(MAX_LIVE_TOKENS);
	expect(await tokens.findCaller(granted.at(-1) ?? "")).toMatchObject({ id: "cl_1" });
});

test("what is limited is refused before anything is written", async () => {
	const { database, tokens } = await openTokens({ ...UNLIMITED, countToken: () => 7 });
	expect(await tokens.grant(client)).toEqual({ kind: "rate_limited", retryAfterSeconds: 7 });
	expect(await database.read.selectFrom("access_tokens").selectAll().execute()).toEqual([]);
});

test("a wrong secret uses up nothing of the client's", async () => {
	let counted = 0;
	const { tokens } = await openTokens({ ...UNLIMITED, countToken: () => ++counted });
	expect(await tokens.grant({ ...client, clientSecret: "sec_wrong" })).toEqual({ kind: "invalid_client" });
	expect(counted).toBe(0);
});
