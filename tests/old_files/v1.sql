-- A project as version 1 of the schema wrote it. Never changed: every later version opens it.
PRAGMA application_id = 1463899220;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE devices (
    id TEXT PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenarios(id), rack TEXT REFERENCES racks(id),
    name TEXT NOT NULL, entry TEXT, bottom_u REAL, face TEXT, data TEXT NOT NULL);
CREATE TABLE figures (
    scenario INTEGER NOT NULL REFERENCES scenarios(id), layer TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL,
    value, unit TEXT NOT NULL, PRIMARY KEY (scenario, layer, name));
CREATE TABLE layer_inputs (
    scenario INTEGER NOT NULL REFERENCES scenarios(id), layer TEXT NOT NULL, version INTEGER NOT NULL,
    inputs TEXT NOT NULL, chosen TEXT NOT NULL, PRIMARY KEY (scenario, layer));
INSERT INTO "layer_inputs" VALUES(1,'project',1,'{"project": "Hall 3", "customer": "An old customer", "site": "", "revision": "A", "author": "", "checked": "", "date": "", "notes": ""}','["project", "customer"]');
INSERT INTO "layer_inputs" VALUES(1,'workload',1,'{"model": {"kind": "size", "params_b": 333.3333333333333}, "tokens_b": 15000.0, "seq_len": 8192, "global_batch": 2048, "days": 21.5, "precision": "bf16", "recipe": "bf16_adam_18"}','["model", "model.kind", "model.params_b", "days"]');
INSERT INTO "layer_inputs" VALUES(1,'compute',1,'{"gpu": "h100_sxm", "power_cap_w": null}','[]');
INSERT INTO "layer_inputs" VALUES(1,'parallelism',1,'{"layout": "pinned", "gpus": null, "tp": 4, "pp": 16, "dp": 8, "cp": 1, "ep": 1, "micro_batch": 1, "vpp": 1, "schedule": "1f1b", "recompute": "selective", "sharding": "zero1", "sequence_parallel": true, "reserve_gb": 6.0, "failures_per_1000_node_days": 3.79, "restart_min": 10.0}','["layout", "tp"]');
INSERT INTO "layer_inputs" VALUES(1,'fabric',1,'{"design": null, "nic_gbit_s": null, "oversubscription": 1.0, "in_network_reduction": true}','[]');
INSERT INTO "layer_inputs" VALUES(1,'cluster',1,'{"system": null, "nodes_per_rack": null, "spare_nodes_pct": 0.0, "fabric_manager": "none"}','[]');
INSERT INTO "layer_inputs" VALUES(1,'storage',1,'{"system": "ddn_ai400x2", "appliances": null, "bytes_per_token": 4.0, "read_gb_s_per_gpu": null, "checkpoint_recipe": "mixed_adam_bf16_weights", "checkpoint_mode": "async", "write_target_s": 120.0, "checkpoint_interval_s": null, "capacity_tb": null}','[]');
INSERT INTO "layer_inputs" VALUES(1,'datapath',1,'{"path": "gds", "pcie_generation": null, "host_memory_gb_s": 500.0, "io_cores": 32}','[]');
INSERT INTO "layer_inputs" VALUES(1,'host',1,'{"scheduler": "slurm", "virtualised": false}','[]');
INSERT INTO "layer_inputs" VALUES(1,'power',1,'{"typical_pct": 85.0, "management_kw": 20.0, "scheme": "2n", "transformer_efficiency_pct": 99.0, "ups_efficiency_pct": 97.0, "distribution_efficiency_pct": 99.0, "auxiliary_kw": 50.0, "feed": "feed_415_63_3_100", "feeds_per_rack": 4, "power_factor": 0.98, "utility_mw": 8.0, "it_limit_kw": null, "rack_feed_limit_kw": null}','["utility_mw"]');
INSERT INTO "layer_inputs" VALUES(1,'cooling',1,'{"technology": {"kind": "two_phase", "fluid": "R1233zd(E)", "saturation_c": 40.0, "exit_quality": 0.6000000000000001, "subcooling_k": 3.0, "liquid_pct": null, "rack_limit_kw": null, "cdu": "cdu_accelsius_mr250", "spare_cdus": 1, "vapour_line_id_mm": 77.9, "vapour_velocity_limit_m_s": 15.0, "condenser_pinch_k": 5.0, "pump_head_kpa": 200.0, "inlet_c": 24.0, "air_remainder_limit_kw": 40.0}, "water_supply_c": 18.0, "water_rise_k": 10.0, "chiller_cop": 6.0, "fan_pct": 5.8, "air_rise_k": 12.0, "altitude_m": 0.0, "room_dew_point_c": 17.0, "dew_margin_k": 1.0, "rack_reject_limit_kw": null, "cdus_installed": null, "liquid_limit_kw": null, "air_limit_kw": null, "water_limit_l_min": null}','["technology", "technology.kind", "technology.exit_quality", "water_limit_l_min"]');
INSERT INTO "layer_inputs" VALUES(1,'floor',1,'{"rack_width_mm": 600.0, "rack_depth_mm": 1200.0, "rack_frame_kg": 180.0, "cold_aisle_mm": 1800.0, "hot_aisle_mm": 2000.0, "racks_per_row": 16, "cross_aisle_mm": 1200.0, "management_racks": 0, "cdu_area_m2": 2.0, "area_limit_m2": null, "racks_limit": null, "floor_load_limit_kg_m2": null}','[]');
INSERT INTO "layer_inputs" VALUES(2,'project',1,'{"project": "Hall 3", "customer": "An old customer", "site": "", "revision": "A", "author": "", "checked": "", "date": "", "notes": ""}','["project", "customer"]');
INSERT INTO "layer_inputs" VALUES(2,'workload',1,'{"model": {"kind": "size", "params_b": 333.3333333333333}, "tokens_b": 15000.0, "seq_len": 8192, "global_batch": 2048, "days": 21.5, "precision": "bf16", "recipe": "bf16_adam_18"}','["model", "model.kind", "model.params_b", "days"]');
INSERT INTO "layer_inputs" VALUES(2,'compute',1,'{"gpu": "h100_sxm", "power_cap_w": null}','[]');
INSERT INTO "layer_inputs" VALUES(2,'parallelism',1,'{"layout": "pinned", "gpus": null, "tp": 4, "pp": 16, "dp": 8, "cp": 1, "ep": 1, "micro_batch": 1, "vpp": 1, "schedule": "1f1b", "recompute": "selective", "sharding": "zero1", "sequence_parallel": true, "reserve_gb": 6.0, "failures_per_1000_node_days": 3.79, "restart_min": 10.0}','["layout", "tp"]');
INSERT INTO "layer_inputs" VALUES(2,'fabric',1,'{"design": null, "nic_gbit_s": null, "oversubscription": 1.0, "in_network_reduction": true}','[]');
INSERT INTO "layer_inputs" VALUES(2,'cluster',1,'{"system": null, "nodes_per_rack": null, "spare_nodes_pct": 0.0, "fabric_manager": "none"}','[]');
INSERT INTO "layer_inputs" VALUES(2,'storage',1,'{"system": "ddn_ai400x2", "appliances": null, "bytes_per_token": 4.0, "read_gb_s_per_gpu": null, "checkpoint_recipe": "mixed_adam_bf16_weights", "checkpoint_mode": "async", "write_target_s": 120.0, "checkpoint_interval_s": null, "capacity_tb": null}','[]');
INSERT INTO "layer_inputs" VALUES(2,'datapath',1,'{"path": "gds", "pcie_generation": null, "host_memory_gb_s": 500.0, "io_cores": 32}','[]');
INSERT INTO "layer_inputs" VALUES(2,'host',1,'{"scheduler": "slurm", "virtualised": false}','[]');
INSERT INTO "layer_inputs" VALUES(2,'power',1,'{"typical_pct": 85.0, "management_kw": 20.0, "scheme": "2n", "transformer_efficiency_pct": 99.0, "ups_efficiency_pct": 97.0, "distribution_efficiency_pct": 99.0, "auxiliary_kw": 50.0, "feed": "feed_415_63_3_100", "feeds_per_rack": 4, "power_factor": 0.98, "utility_mw": 8.0, "it_limit_kw": null, "rack_feed_limit_kw": null}','["utility_mw"]');
INSERT INTO "layer_inputs" VALUES(2,'cooling',1,'{"technology": {"kind": "single_phase", "fluid": "pg25", "supply_c": 42.0, "rise_k": 10.0, "liquid_pct": null, "rack_limit_kw": null, "cdu": "cdu_vertiv_xdu1350", "spare_cdus": 1, "rack_flow_limit_l_min": null, "manifold_id_mm": 40.9, "velocity_limit_m_s": 2.5, "loop_dp_kpa": null, "inlet_c": 24.0, "air_remainder_limit_kw": 40.0}, "water_supply_c": 18.0, "water_rise_k": 10.0, "chiller_cop": 6.0, "fan_pct": 5.8, "air_rise_k": 12.0, "altitude_m": 0.0, "room_dew_point_c": 17.0, "dew_margin_k": 1.0, "rack_reject_limit_kw": null, "cdus_installed": null, "liquid_limit_kw": null, "air_limit_kw": null, "water_limit_l_min": null}','["technology", "technology.kind", "technology.supply_c", "water_limit_l_min"]');
INSERT INTO "layer_inputs" VALUES(2,'floor',1,'{"rack_width_mm": 600.0, "rack_depth_mm": 1200.0, "rack_frame_kg": 180.0, "cold_aisle_mm": 1800.0, "hot_aisle_mm": 2000.0, "racks_per_row": 16, "cross_aisle_mm": 1200.0, "management_racks": 0, "cdu_area_m2": 2.0, "area_limit_m2": null, "racks_limit": null, "floor_load_limit_kg_m2": null}','[]');
CREATE TABLE links (
    id TEXT PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenarios(id), from_device TEXT NOT NULL,
    from_port TEXT NOT NULL, to_device TEXT NOT NULL, to_port TEXT NOT NULL, medium TEXT, length_m REAL,
    data TEXT NOT NULL);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "meta" VALUES('program','WattsWeights');
INSERT INTO "meta" VALUES('program_version','0.1.0');
INSERT INTO "meta" VALUES('coolprop_version','8.0.0');
INSERT INTO "meta" VALUES('saved','2026-01-02T03:04:05Z');
CREATE TABLE notes (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, text TEXT NOT NULL);
INSERT INTO "notes" VALUES(1,'power.utility_mw','From the utility''s letter');
CREATE TABLE racks (
    id TEXT PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenarios(id), name TEXT NOT NULL, height_u REAL,
    x_mm REAL, y_mm REAL, turned_deg REAL, data TEXT NOT NULL);
CREATE TABLE scenarios (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, position INTEGER NOT NULL);
INSERT INTO "scenarios" VALUES(1,'Base',1);
INSERT INTO "scenarios" VALUES(2,'Warm water',2);
COMMIT;
