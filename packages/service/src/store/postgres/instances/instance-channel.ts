/** Channel of the messages between instances. */
export const INSTANCE_CHANNEL = "stemma";
