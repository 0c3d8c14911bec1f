// A process that is busy for ever, as with a document that never ends.
import { endWithParent } from "../end-with-parent.ts";

endWithParent();
for (;;);
