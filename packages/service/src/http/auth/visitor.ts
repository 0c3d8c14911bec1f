import { DomainError } from "../../errors/domain-error";
import type { ServiceContext } from "../service-context";

const MAX_VISITOR_CHARACTERS = 200;
/** Shorter ones can be guessed. */
const VISITOR = new RegExp(`^[\\x21-\\x7e]{16,${MAX_VISITOR_CHARACTERS}}$`);

/**
 * The secret by which one visitor of a page is told from the others, who all have its client key.
 *
 * @throws DomainError `invalid_request` for one that cannot be one.
 */
export function readVisitor(context: ServiceContext): string | undefined {
	const visitor = context.req.header("stemma-visitor");
	if (visitor === undefined || VISITOR.test(visitor)) return visitor;
	throw new DomainError(
		"invalid_request",
		"stemma-visitor must be 16 to 200 printable ASCII characters without spaces.",
		{
			param: "stemma-visitor",
			hint: "Send 32 random hexadecimal characters, the same with each request of a visitor.",
		},
	);
}
