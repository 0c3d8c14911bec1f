import { expect, it } from "vitest";
import { DomainError } from "../errors/domain-error";
import { toProtocolError } from "./to-protocol-error";

it("shortens what the path of deep data makes long, and keeps both ends", () => {
	const path = `input${"[0]".repeat(150)}`;
	const { message } = toProtocolError(new DomainError("invalid_request", `${path} is no text.`));
	expect(message).toHaveLength(200);
	expect(message).toMatch(/^input\[0\]\[0\].*….*\[0\] is no text\.$/);
	expect(toProtocolError(new DomainError("invalid_request", "input is no text.")).message).toBe(
		"input is no text.",
	);
});
