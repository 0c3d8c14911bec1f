import { expect, it } from "vitest";
import { explainOutdatedNode } from "./outdated-node";

it.each(["22.16.0", "22.20.1", "23.0.0", "24.21.0"])("takes Node %s", (version) => {
	expect(explainOutdatedNode(version)).toBeUndefined();
});

it.each(["18.20.0", "20.20.2", "22.15.1"])("says what to install in place of Node %s", (version) => {
	expect(explainOutdatedNode(version)).toMatch(/Node 22\.16 or later.*Install Node 24/);
});
