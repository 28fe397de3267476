-- The newest content of the topic when it was asked for: what came after it is delivered to the new subscription.
ALTER TABLE pending ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
UPDATE pending SET seen = COALESCE((SELECT MAX(seq) FROM contents c
    WHERE c.site = pending.site AND c.topic = pending.topic), 0);
