-- One hub serves many sites: rows belong to a site by its host name, or to '', the only site of a sidecar
-- that serves one.
ALTER TABLE contents ADD COLUMN site TEXT NOT NULL DEFAULT '';
ALTER TABLE contents ALTER COLUMN site DROP DEFAULT;
ALTER TABLE contents DROP CONSTRAINT contents_pkey;
ALTER TABLE contents ADD PRIMARY KEY (site, topic, seq);

ALTER TABLE subscriptions ADD COLUMN site TEXT NOT NULL DEFAULT '';
ALTER TABLE subscriptions ALTER COLUMN site DROP DEFAULT;
ALTER TABLE subscriptions DROP CONSTRAINT subscriptions_topic_callback_key_key;
ALTER TABLE subscriptions ADD UNIQUE (site, topic, callback_key);

ALTER TABLE pending ADD COLUMN site TEXT NOT NULL DEFAULT '';
ALTER TABLE pending ALTER COLUMN site DROP DEFAULT;
ALTER TABLE pending DROP CONSTRAINT pending_topic_callback_key_key;
ALTER TABLE pending ADD UNIQUE (site, topic, callback_key);

ALTER TABLE deliveries ADD COLUMN site TEXT NOT NULL DEFAULT '';
ALTER TABLE deliveries ALTER COLUMN site DROP DEFAULT;
DROP INDEX deliveries_topic;
CREATE INDEX deliveries_topic ON deliveries (site, topic);
