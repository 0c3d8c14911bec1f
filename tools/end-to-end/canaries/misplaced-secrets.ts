// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import type { BodyRoute } from "../../../packages/service/src/test-support/body-routes";
import { createSecret } from "./canaries";
import type { Recorder } from "./recorder";

/** What was put where it does not belong, by the place. */
export type MisplacedSecrets = Readonly<Record<(typeof LOCATIONS)[number], string>>;

const LOCATIONS = [
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

export const createMisplacedSecrets = (): MisplacedSecrets =>
	Object.fromEntries(LOCATIONS.map((location) => [location, createSecret()])) as MisplacedSecrets;

/** Those that are looked at, and might be repeated. */
const HEADERS = [
	"accept",
	"content-type",
	"cookie",
	"idempotency-key",
	"last-event-id",
	"stemma-depth",
	"stemma-run-token",
	"stemma-answer-token",
	"x-api-key",
	"x-request-id",
];

/** Sends secrets to routes in all the places where they do not belong: `GET /v1/agents/:id`. */
export async function sendMisplaced(
	recorder: Recorder,
	routes: readonly string[],
	misplaced: MisplacedSecrets,
): Promise<void> {
	await Promise.all(
		routes.map(async (route) => {
			const [method = "", path = ""] = route.replace(/:id/g, "nothing").split(" ");
			const send = (query: string, request: Parameters<Recorder["send"]>[2]) =>
				recorder.send(method, `${path}${query}`, request);
			const json = { headers: { "content-type": "application/json" } };
			await recorder.send(method, `${path}/${encodeURIComponent(misplaced.path)}`);
			if (route.includes(":id"))
				await recorder.send(method, path.replaceAll("nothing", encodeURIComponent(misplaced.path)), {});
			await send(`?${encodeURIComponent(misplaced["name of a query parameter"])}=1`, {});
			for (const name of ["limit", "after", "from", "action", "wait_ms"])
				await send(`?${name}=${encodeURIComponent(misplaced["value of a query parameter"])}`, {});
			for (const name of HEADERS) await send("", { headers: { [name]: misplaced.header } });
			await send("", { token: misplaced["bearer token"] });
			await send("", { token: null, headers: { authorization: `Basic ${btoa(`x:${misplaced.password}`)}` } });
			if (method === "GET") return;
			await send("", { json: { [misplaced["name of a field"]]: 1 } });
			await send("", { json: { unknown: misplaced["value of an unknown field"] } });
			await send("", { ...json, body: `{"api_key": "${misplaced["broken JSON"]}", ` });
			await send("", { ...json, body: `{"api_key": ${misplaced["broken JSON"]}}` });
			await send("", { ...json, body: misplaced["text in place of JSON"] });
			await send("", { json: misplaced["text in place of JSON"] });
			await send("", {
				form: {
					client_secret: misplaced["form in place of JSON"],
					[misplaced["form in place of JSON"]]: "1",
				},
			});
		}),
	);
}

/** Sends bodies that are right but for one field, which is of the wrong kind and has a secret in it. */
export async function sendMisplacedInFields(
	recorder: Recorder,
	routes: readonly BodyRoute[],
	misplaced: MisplacedSecrets,
): Promise<void> {
	const secret = misplaced["value of the wrong kind"];
	for (const { method, path, fields } of routes) {
		const body = Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));
		for (const [name, { value, alsoTaken: alsoAccepted = [] }] of Object.entries(fields)) {
			if (alsoAccepted.includes("object") || (typeof value === "object" && !Array.isArray(value))) continue;
			const wrong: unknown[] = [{ a: secret }, [{ a: [secret] }], [[secret]]];
			if (typeof value === "number" || typeof value === "boolean") wrong.push(secret);
			for (const misplacedValue of wrong)
				await recorder.send(method, path, { json: { ...body, [name]: misplacedValue } });
		}
	}
}
