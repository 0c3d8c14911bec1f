import { type Inviter, visibleText } from "@stemma/client";
import { PEOPLE_STRINGS } from "../strings/people-strings";

/** Name of who made a link: of a member, else the id. */
export function describeInviter({ id, name }: Inviter): string {
	if (id === "operator") return PEOPLE_STRINGS.operator;
	return visibleText(name ?? id);
}
