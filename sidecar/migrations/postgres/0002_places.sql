-- Places for requests that are not yet verified are shared fairly by the networks of those who ask
-- and by the domains that are named. Renewals of subscriptions take no such place.
ALTER TABLE pending ADD COLUMN network TEXT NOT NULL DEFAULT '';
ALTER TABLE pending ADD COLUMN domain TEXT NOT NULL DEFAULT '';
ALTER TABLE pending ADD COLUMN renews BIGINT NOT NULL DEFAULT 0;
UPDATE pending SET domain = host, renews = (SELECT COUNT(*) FROM subscriptions s
    WHERE s.topic = pending.topic AND s.callback_key = pending.callback_key);

-- Operators see which client network a subscription came from, and block hosts.
ALTER TABLE subscriptions ADD COLUMN network TEXT NOT NULL DEFAULT '';
CREATE TABLE blocked (host TEXT NOT NULL PRIMARY KEY);
