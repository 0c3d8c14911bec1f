import { expect, it } from "vitest";
import { checkNode } from "./check-node";

it("warns of versions that Node does not maintain for long", () => {
	expect(checkNode("24.3.0")).toEqual({ name: "Node", result: "24.3.0" });
	expect(checkNode("22.16.0").problem).toBeUndefined();
	expect(checkNode("25.1.0").problem).toMatchObject({ severity: "warning", code: "node_not_maintained" });
});
