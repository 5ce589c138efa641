//===- TileEmitter.h - One thread's code for a tile -*- C++ -* ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOGPU_TILEEMITTER_H
#define RLSCAN_TILESTOGPU_TILEEMITTER_H

#include "TilesToGPU/DeviceArrays.h"

#include "llvm/ADT/MapVector.h"

namespace rlscan {

/// Where a thread stands in its workgroup.
struct ThreadPlace {
  mlir::Value lane;  // i32, of the row's lanes
  mlir::Value group; // i64, of the row's groups
  mlir::Value row;   // i64, of the workgroup's rows; its first
};

/// The tile that a thread works on.
struct TilePlace {
  mlir::Value row;        // i64, its first; past the last unless `hasRow`
  mlir::Value clampedRow; // i64, a row of the window, and those that go with it
  mlir::Value hasRow;
  mlir::Value tile;   // i64, number in the row
  mlir::Value parity; // i64, 0 and 1 in turns
  mlir::Value first;  // i64, the thread's first position
  mlir::Value edge;   // i64, the position before its subgroup's first
  // i32: how many positions from the thread's first, and from its subgroup's
  // first, are inside the window; 0 to their number.
  mlir::Value left, groupLeft;
};

/// An op for one of the rows of a thread.
using RowOp = std::pair<mlir::Operation *, unsigned>;
/// What goes from one tile of a row to the next in registers: the carries (f64)
/// and the last values of the neighbours that have no edge.
using ChainState = llvm::MapVector<RowOp, mlir::Value>;
/// Elements that were read ahead, as they are stored; for all rows of the
/// thread with the first where one access takes them all.
using ReadAhead = llvm::MapVector<RowOp, mlir::Value>;

/// Emits the body of an `rlscan.tiles` for the thread that runs it.
class TileEmitter {
public:
  TileEmitter(ThreadBuilder &b, TilesOp tiles, ScheduleAttr schedule,
              const DeviceCall &call);

  /// The code of the whole op: all tiles that this thread has a part in.
  void emitAll();
  /// What it takes of the workgroup's shared memory.
  int64_t sharedBytes() const { return bytesShared; }

private:
  // TileEmitter.cpp: the chain of tiles.
  ThreadPlace makeThreadPlace();
  TilePlace makeTilePlace(mlir::Value row, mlir::Value tile,
                          mlir::Value parity);
  void emitInvariants(bool withRows);
  ChainState initialState();
  void emitOnce();
  void emitLoop();
  void emitTile(const TilePlace &place, const ReadAhead &ahead);
  void takeAhead(const ReadAhead &ahead);
  void emitForRows(mlir::Operation *op);
  void emitOp(mlir::Operation *op);
  void forEachRow(llvm::function_ref<void()> body);
  /// The values of the row that is being emitted.
  llvm::DenseMap<mlir::Value, mlir::Value> &values() { return rowValues[row]; }
  /// The thread's value of one of the op's; null before it is emitted.
  mlir::Value get(mlir::Value value);
  bool isLookBack() const { return schedule.getChain() == Chain::LookBack; }

  // FragmentAccess.cpp: memory.
  ReadAhead readAhead(const TilePlace &place);
  bool canReadAhead(LoadOp load) const;
  mlir::Value load(LoadOp load, const TilePlace &place);
  bool hasRowsTogether(const DeviceArray &array) const;
  mlir::Type loadedElement(const DeviceArray &array) const;
  mlir::Value loadElement(const DeviceArray &array, mlir::Value pointer);
  mlir::Value selectRow(const DeviceArray &array, mlir::Value loaded,
                        bool isFragment);
  mlir::Value fromMemory(LoadOp load, mlir::Value loaded);
  mlir::Value loadAccess(mlir::VectorType type, mlir::Value pointer);
  mlir::Value loadFragment(const DeviceArray &array, mlir::Value rowPointer,
                           const TilePlace &place);
  mlir::Value loadEach(LoadOp load, const DeviceArray &array,
                       mlir::Value rowPointer, const TilePlace &place);
  void emitStore(StoreOp store);
  void storeFragment(const DeviceArray &array, mlir::Value rowPointer,
                     mlir::Value stored);
  void storeEach(const DeviceArray &array, mlir::Value rowPointer,
                 llvm::ArrayRef<mlir::Value> rows);
  mlir::Value axisOffset(LoadOp load, const DeviceArray &array,
                         mlir::Value index);
  mlir::Value rowPointer(const DeviceArray &array, const TilePlace &place);
  mlir::Value stepOf(mlir::Value position, int64_t span = 1);
  mlir::Value reverse(mlir::Value fragment);
  mlir::Value emitOutside(OutsideOp outside);
  mlir::Value emitReduce(ReduceOp reduce);
  bool hasPieces(const DeviceArray &array) const;
  unsigned accessSteps(const DeviceArray &array) const;
  bool isStaged(const DeviceArray &array) const;
  mlir::Value accessPosition(const DeviceArray &array, unsigned number,
                             const TilePlace &at);
  llvm::SmallVector<mlir::Value>
  stepPointers(const DeviceArray &array, mlir::Value rowPointer,
               mlir::Value first,
               llvm::function_ref<mlir::Value(unsigned)> isInside);
  mlir::Value isInside(unsigned position, const TilePlace &at);
  mlir::Value isInsideByPosition(mlir::Value first, unsigned position);
  mlir::Value isAccessInside(const DeviceArray &array, unsigned number,
                             const TilePlace &at);

  // Levels.cpp: the levels of the scan.
  struct Map {
    mlir::Value a, b;
  };
  Map combine(Map earlier, Map later);
  Map scanLanes(Map map, mlir::Value lane, unsigned count);
  Map shuffleMap(Map map, mlir::Value lane);
  Map scanGroups(ScanWorkgroupOp scan);
  Map composeGroups(ScanWorkgroupOp scan);
  mlir::Value foldStates(ScanWorkgroupOp scan, CarryOp carry,
                         mlir::Value before);
  static mlir::VectorType pairOf(mlir::Type real);
  void storeMap(Map map, mlir::Value pointer);
  Map loadMap(mlir::Type real, mlir::Value pointer);
  mlir::Value isZero(mlir::Value real);
  mlir::Value applyMap(Map map, mlir::Value state);
  mlir::Value emitNeighbour(NeighbourOp neighbour);
  void emitCompose(ComposeOp compose);
  void emitScanSubgroup(ScanSubgroupOp scan);
  void emitScanWorkgroup(ScanWorkgroupOp scan);
  void scanWithLanes(ScanWorkgroupOp scan);
  void shareGroups(ScanWorkgroupOp scan);
  mlir::Value sharedGroup(ScanWorkgroupOp scan, mlir::Value group);
  void emitAdvance(AdvanceOp advance);
  void emitCarry(CarryOp carry);
  mlir::Value advanceCarry(Map tile, mlir::Value carry);
  mlir::Value lastLane();

  // SharedMemory.cpp
  mlir::Value sharedArray(mlir::Type element, int64_t count);
  void syncSubgroup();
  mlir::Value exchange(mlir::Value fragment, unsigned access, bool toPositions);
  mlir::Value stagingArea();

  // LookBack.cpp: tiles by ticket, states through memory.
  struct TileState {
    mlir::Value kind; // i32
    mlir::Value a, b;
    mlir::Value state; // f64
  };
  void emitLookBack();
  TilePlace placeOfTicket(mlir::Value ticket, mlir::Value parity);
  mlir::Value drawTicket();
  mlir::Value statePointer(CarryOp carry, mlir::Value tile);
  void publish(mlir::Value pointer, unsigned kind,
               llvm::ArrayRef<mlir::Value> words);
  void publishMap(mlir::Value pointer, Map map);
  void publishState(mlir::Value pointer, mlir::Value state);
  TileState readState(mlir::Value pointer, mlir::Value exists, mlir::Type real);
  mlir::Value emitLookBackCarry(CarryOp carry, Map map);
  mlir::Value resolveCarry(CarryOp carry, Map map);
  void resolveWithLanes(CarryOp carry, ScanWorkgroupOp scan,
                        llvm::function_ref<mlir::Value(mlir::Value)> slot);
  void resolveRow(CarryOp carry, ScanWorkgroupOp scan,
                  llvm::function_ref<mlir::Value(mlir::Value)> slot);
  mlir::Value lookBack(CarryOp carry, mlir::Type real);
  mlir::Value foldWindow(const TileState &mine, mlir::Value start,
                         mlir::Value state);
  mlir::Value toWord(mlir::Value payload, unsigned kind);
  llvm::SmallVector<mlir::Value> split(mlir::Value value);

  ThreadBuilder &b;
  TilesOp tiles;
  ScheduleAttr schedule;
  const DeviceCall &call;
  ThreadPlace thread;

  TilePlace place; // of the tile that is being emitted
  ChainState state, nextState;
  unsigned row = 0; // of the thread's rows, the one that is being emitted
  llvm::SmallVector<llvm::DenseMap<mlir::Value, mlir::Value>> rowValues;
  llvm::SmallVector<CarryOp> carries;

  // Shared memory of the groups' maps, and the states before the thread's
  // group.
  llvm::DenseMap<mlir::Operation *, mlir::Value> groupMaps;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> groupStates;

  // Shared memory of fragments on their way, and how many went through it.
  mlir::Value staging;
  int64_t stagingBytes = 0, stagings = 0;
  int64_t bytesShared = 0;

  // Of a kernel that looks back.
  mlir::Value epoch, numItems, numTickets, numTiles, rowBlocks;
};

} // namespace rlscan

#endif // RLSCAN_TILESTOGPU_TILEEMITTER_H
