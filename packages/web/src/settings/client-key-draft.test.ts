import { expect, it } from "vitest";
import { EMPTY_KEY, toClientKeyCreate } from "./client-key-draft";

it("takes the defaults of the service, and all knowledge bases and agents", () => {
	expect(toClientKeyCreate({ ...EMPTY_KEY, name: " Page ", origins: "https://a.example" })).toEqual({
		...{ name: "Page", origins: ["https://a.example"], native: false, scopes: ["ask", "agents:run"] },
		...{ agents: null, knowledge_base_ids: null, expose: "answer", models: false },
		...{ requests_per_minute: 60, tokens_per_day: 200_000 },
	});
});

it("takes the origin of an address that was copied, once, and leaves others to the service", () => {
	const origins = "https://a.example/page?q=1\n https://a.example/, http://localhost:80\nnonsense a:b";
	expect(toClientKeyCreate({ ...EMPTY_KEY, origins }).origins).toEqual([
		"https://a.example",
		"http://localhost",
		"nonsense",
		"a:b",
	]);
});

it("names what was chosen, also where that is nothing", () => {
	const draft = { ...EMPTY_KEY, agents: new Set<string>(), knowledgeBases: new Set(["kb_1"]) };
	expect(toClientKeyCreate(draft)).toMatchObject({ agents: [], knowledge_base_ids: ["kb_1"] });
});
