// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import type { BodyRoute } from "../../packages/service/src/test-support/body-routes";
import { createSecret } from "./canaries";
import type { Recorder } from "./canary-recorder";

/** What was put where it does not belong, by the place. */
export type SlippedSecrets = Readonly<Record<(typeof PLACES)[number], string>>;

const PLACES = [
	"path",
	"name of a query parameter",
	"value of a query parameter",
	"header",
	"bearer token",
	"password",
	"name of a field",
	"value of an unknown field",
	"value of the wrong kind",
	"broken JSON",
	"text in place of JSON",
	"form in place of JSON",
] as const;

export const createSlippedSecrets = (): SlippedSecrets =>
	Object.fromEntries(PLACES.map((place) => [place, createSecret()])) as SlippedSecrets;

/** Those that are looked at, and might be repeated. */
const HEADERS = [
	"accept",
	"content-type",
	"cookie",
	"idempotency-key",
	"last-event-id",
	"stemma-depth",
	"stemma-run-token",
	"x-api-key",
	"x-request-id",
];

/** Sends secrets to routes in all the places where they do not belong: `GET /v1/agents/:id`. */
export async function slip(
	recorder: Recorder,
	routes: readonly string[],
	slipped: SlippedSecrets,
): Promise<void> {
	await Promise.all(
		routes.map(async (route) => {
			const [method = "", path = ""] = route.replace(/:id/g, "nothing").split(" ");
			const send = (query: string, request: Parameters<Recorder["send"]>[2]) =>
				recorder.send(method, `${path}${query}`, request);
			const json = { headers: { "content-type": "application/json" } };
			await recorder.send(method, `${path}/${encodeURIComponent(slipped.path)}`);
			if (route.includes(":id"))
				await recorder.send(method, path.replaceAll("nothing", encodeURIComponent(slipped.path)), {});
			await send(`?${encodeURIComponent(slipped["name of a query parameter"])}=1`, {});
			for (const name of ["limit", "after", "from", "action", "wait_ms"])
				await send(`?${name}=${encodeURIComponent(slipped["value of a query parameter"])}`, {});
			for (const name of HEADERS) await send("", { headers: { [name]: slipped.header } });
			await send("", { token: slipped["bearer token"] });
			await send("", { token: null, headers: { authorization: `Basic ${btoa(`x:${slipped.password}`)}` } });
			if (method === "GET") return;
			await send("", { json: { [slipped["name of a field"]]: 1 } });
			await send("", { json: { unknown: slipped["value of an unknown field"] } });
			await send("", { ...json, body: `{"api_key": "${slipped["broken JSON"]}", ` });
			await send("", { ...json, body: `{"api_key": ${slipped["broken JSON"]}}` });
			await send("", { ...json, body: slipped["text in place of JSON"] });
			await send("", { json: slipped["text in place of JSON"] });
			await send("", {
				form: { client_secret: slipped["form in place of JSON"], [slipped["form in place of JSON"]]: "1" },
			});
		}),
	);
}

/** Sends bodies that are right but for one field, which is of the wrong kind and has a secret in it. */
export async function slipIntoFields(
	recorder: Recorder,
	routes: readonly BodyRoute[],
	slipped: SlippedSecrets,
): Promise<void> {
	const secret = slipped["value of the wrong kind"];
	for (const { method, path, fields } of routes) {
		const body = Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));
		for (const [name, { value, alsoTaken = [] }] of Object.entries(fields)) {
			if (alsoTaken.includes("object") || (typeof value === "object" && !Array.isArray(value))) continue;
			const wrong: unknown[] = [{ a: secret }, [{ a: [secret] }], [[secret]]];
			if (typeof value === "number" || typeof value === "boolean") wrong.push(secret);
			for (const slippedValue of wrong)
				await recorder.send(method, path, { json: { ...body, [name]: slippedValue } });
		}
	}
}
